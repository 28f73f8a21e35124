import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What an integrator tests every day, by JUnit 5 and the JDK alone. The bank runs beside it:
 *
 *     BANK_IDP_CONTROL_TOKEN=a-token-for-my-tests npx bank-idp start --config bank.yaml
 *
 * and the tests have the same BANK_IDP_CONTROL_TOKEN; CONTROL is the address of the control API, where it is another.
 */
class LoginTest {
    static final String CONTROL = System.getenv().getOrDefault("CONTROL", "http://127.0.0.1:9000/v1");
    static final HttpClient http = HttpClient.newHttpClient();

    /** Asks the control API: POST with a body of JSON. */
    static HttpResponse<String> ask(String path, String json) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(CONTROL + path))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + System.getenv("BANK_IDP_CONTROL_TOKEN"))
            .POST(BodyPublishers.ofString(json))
            .build();
        return http.send(request, BodyHandlers.ofString());
    }

    @BeforeEach
    void eachTestHasTheBankAsNew() throws Exception {
        assertEquals(200, ask("/reset", "{}").statusCode());
    }

    @Test
    void janaLogsIn() throws Exception {
        HttpResponse<String> login = ask("/logins", "{\"client_id\":\"my-app\",\"login\":\"jana\",\"scope\":\"openid profile.name\"}");
        assertEquals(200, login.statusCode());
        assertTrue(login.body().contains("\"scope\":\"openid profile.name\""));
    }

    @Test
    void janaTurnsBack() throws Exception {
        HttpResponse<String> login = ask("/logins", "{\"client_id\":\"my-app\",\"login\":\"jana\",\"decline\":\"consent\"}");
        assertTrue(login.body().contains("\"error\":\"access_denied\""));
    }
}
