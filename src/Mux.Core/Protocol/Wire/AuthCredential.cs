using System.Buffers;
using System.Text;

namespace Mux.Protocol;

/// <summary>AUTH (0x07) from the dialing side: its credential (PROTOCOL.md section 3.7).</summary>
/// <remarks>
/// <code>
/// scheme length u8 | scheme | token
/// </code>
/// A scheme of length 0, without a token, means that this side has no credential.
/// </remarks>
internal static class AuthCredential
{
    public const int MaxScheme = 64;

    /// <summary>Maximum length of the payload.</summary>
    public const int MaxLength = 8 * 1024;

    private static readonly SearchValues<byte> s_schemeBytes = SearchValues.Create("abcdefghijklmnopqrstuvwxyz0123456789-."u8);

    /// <summary>True if the bytes are valid in the name of a scheme; does not check the length.</summary>
    public static bool IsScheme(ReadOnlySpan<byte> name) => !name.ContainsAnyExcept(s_schemeBytes);

    /// <summary>Finds the scheme and the token.</summary>
    /// <param name="payload">Payload of the frame.</param>
    /// <param name="scheme">Name of the scheme; empty if there is no credential.</param>
    /// <param name="tokenAt">Position of the token.</param>
    /// <returns>False if the payload is not a credential.</returns>
    public static bool TryRead(ReadOnlySpan<byte> payload, out string scheme, out int tokenAt)
    {
        scheme = string.Empty;
        tokenAt = 0;
        if (payload.IsEmpty || payload.Length > MaxLength || payload[0] > MaxScheme || payload[0] >= payload.Length) return false;
        if (payload[0] == 0 && payload.Length > 1) return false;
        var name = payload.Slice(1, payload[0]);
        if (!IsScheme(name)) return false;
        scheme = Encoding.ASCII.GetString(name);
        tokenAt = 1 + payload[0];
        return true;
    }

    /// <summary>Creates the payload for a token.</summary>
    public static byte[] Make(string scheme, ReadOnlySpan<byte> token)
    {
        var payload = new byte[1 + scheme.Length + token.Length];
        payload[0] = (byte)Encoding.ASCII.GetBytes(scheme, payload.AsSpan(1));
        token.CopyTo(payload.AsSpan(1 + scheme.Length));
        return payload;
    }
}
