using System.Net;
using System.Text.Json;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>Reads failures of etcd. Pure.</summary>
internal static class EtcdFailure
{
    /// <summary>Gets the text of a failure; the code if there is none.</summary>
    /// <param name="status">The HTTP status.</param>
    /// <param name="body">The body of the response.</param>
    public static string TextOf(HttpStatusCode status, ReadOnlySpan<byte> body)
    {
        try
        {
            var error = JsonSerializer.Deserialize(body, EtcdJson.Default.ErrorBody);
            if (error is not null && (TextOf(error.Error) ?? error.Message) is { Length: > 0 } text) return text;
        }
        catch (JsonException)
        {
            // Something in between has answered, such as a proxy.
        }

        return $"HTTP status {(int)status}";
    }

    /// <summary>Gets the text of an error, which is a text or an object with one; null if there is none.</summary>
    public static string? TextOf(JsonElement? error) => error switch
    {
        { ValueKind: JsonValueKind.String } text => text.GetString(),
        { ValueKind: JsonValueKind.Object } body when body.TryGetProperty("message", out var message) && message.ValueKind == JsonValueKind.String =>
            message.GetString(),
        _ => null,
    };

    /// <summary>
    /// Decides what a failure means. The HTTP status alone does not tell: 400 stands for a rejected token after a change of users, for a disabled
    /// authentication, and for mistakes.
    /// </summary>
    /// <returns><see cref="EtcdRefusal.None"/> if another member may answer differently.</returns>
    public static EtcdRefusal Classify(HttpStatusCode status, string text)
    {
        if (status == HttpStatusCode.Unauthorized || Says("invalid auth token") || Says("revision of auth store is old")) return EtcdRefusal.Token;
        if (Says("authentication is not enabled")) return EtcdRefusal.NoAuthentication;
        bool isOfMember = status is >= HttpStatusCode.InternalServerError or HttpStatusCode.RequestTimeout or HttpStatusCode.TooManyRequests;
        return isOfMember ? EtcdRefusal.None : EtcdRefusal.Refused;

        bool Says(string part) => text.Contains(part, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>Describes why a member could not be asked.</summary>
    public static string Describe(Exception error) => error switch
    {
        HttpRequestException { InnerException: { } inner } => inner.Message.TrimEnd('.'),
        _ => error.Message.TrimEnd('.'),
    };
}
