using Microsoft.AspNetCore.Http;

namespace Mux.AspNetCore.WebSockets;

/// <summary>Decides which pages may connect. Immutable.</summary>
internal sealed class OriginPolicy
{
    private readonly HashSet<string> _allowed;

    /// <exception cref="ArgumentException">One is not an origin; the message names it.</exception>
    public OriginPolicy(IEnumerable<string> allowed)
    {
        _allowed = new(allowed.Select(origin => Normalize(origin)
            ?? throw new ArgumentException($"AllowedOrigins: '{origin}' is not an origin: expected a scheme, a host and optionally a port, such as " +
                "https://app.example.com.")), StringComparer.Ordinal);
    }

    /// <summary>True if a request is not from a browser, or comes from a page of this endpoint's own origin or of an allowed one.</summary>
    public bool Allows(HttpRequest request)
    {
        if (request.Headers.Origin.Count == 0) return true;
        var origin = Normalize(request.Headers.Origin.ToString()); // "null", and several values, are not an origin
        return origin is not null && (origin == Normalize($"{request.Scheme}://{request.Host}") || _allowed.Contains(origin));
    }

    private static string? Normalize(string origin)
    {
        bool isOrigin = Uri.TryCreate(origin, UriKind.Absolute, out var uri) && uri.Host.Length > 0 && uri.PathAndQuery == "/" && uri.Fragment.Length == 0
            && uri.UserInfo.Length == 0;
        return isOrigin ? $"{uri!.Scheme}://{uri.IdnHost}:{uri.Port}" : null; // browsers send an internationalized name as xn--
    }
}
