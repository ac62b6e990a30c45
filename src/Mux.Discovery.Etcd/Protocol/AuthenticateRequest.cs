using System.Text.Json.Serialization;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>Logs in. Not a record: its text must not show the password.</summary>
internal sealed class AuthenticateRequest(string name, string password)
{
    [JsonPropertyName("name")]
    public string Name => name;

    [JsonPropertyName("password")]
    public string Password => password;
}
