namespace Mux.Client;

/// <summary>Reads a list of addresses with one scheme: <c>mux://a:7070,b:7070</c>.</summary>
internal static class AddressList
{
    /// <param name="text">The whole text, for errors.</param>
    /// <param name="scheme">The scheme of all addresses.</param>
    /// <param name="rest">What follows the scheme and <c>://</c>.</param>
    /// <param name="addresses">The addresses in their order; empty if the text is not valid.</param>
    /// <returns>What is wrong and what is allowed; or null.</returns>
    public static string? TryParse(string text, string scheme, string rest, out IReadOnlyList<MuxAddress> addresses)
    {
        addresses = [];
        var found = new List<MuxAddress>();
        var known = new HashSet<string>(StringComparer.OrdinalIgnoreCase); // as host names are
        var items = (rest.EndsWith('/') ? rest[..^1] : rest).Split(',');
        for (int i = 0; i < items.Length; i++)
        {
            var item = items[i];
            if (item.Length == 0) return $"'{text}' has no address at place {i + 1} of its list: expected host:port between commas.";
            if (item.Contains("://", StringComparison.Ordinal))
            {
                return $"'{text}' has '{item}' in its list: expected host:port. A list has one scheme, before its first address.";
            }

            if (!MuxAddress.TryParse($"{scheme}://{item}", out var address, out var error)) return $"'{text}' has '{item}' in its list: {error}";
            if (address.Port == 0) return $"'{text}' has '{item}' in its list: expected a port from 1 to 65535.";
            if (!known.Add(address.ToString())) return $"'{text}' has {address} twice in its list.";
            found.Add(address);
        }

        addresses = found;
        return null;
    }
}
