using System.Globalization;
using System.Security.Cryptography;

namespace Mux.Discovery.Etcd;

/// <summary>Names of servers in keys.</summary>
internal static class InstanceName
{
    /// <summary>What a name may be.</summary>
    public const string Allowed = "1 to 128 characters, none of them a slash, a space or a control character";

    private const int MaxLength = 128;

    /// <summary>True if a text can be the name of a server.</summary>
    public static bool IsAllowed(string text) => text.Length is > 0 and <= MaxLength && !text.Any(c => char.IsControl(c) || c is '/' or ' ');

    /// <summary>Creates the name of a process: that of its machine, for people who read the keys, and 64 random bits.</summary>
    public static string New()
    {
        var machine = new string([.. Environment.MachineName.Select(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '-' ? c : '-').Take(64)]);
        return string.Create(CultureInfo.InvariantCulture, $"{machine}-{Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(8))}");
    }
}
