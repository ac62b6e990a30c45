using System.Globalization;
using Mux.Connections;
using Mux.Contracts;

namespace Mux.Serving;

/// <summary>Names the calls that connections have not answered yet.</summary>
internal static class OpenCalls
{
    /// <summary>Methods that are named: those with most calls.</summary>
    private const int Named = 3;

    /// <returns>Null if there are none.</returns>
    public static string? Describe(Connection[] connections, IEnumerable<MethodDescriptor> methods)
    {
        var open = methods.Select(method => (method.FullName, Count: connections.Sum(connection => connection.RequestCounts.OpenCountOf(method))))
            .Where(static method => method.Count > 0).OrderByDescending(static method => method.Count)
            .ThenBy(static method => method.FullName, StringComparer.Ordinal).ToList();
        if (open.Count == 0) return null;
        var parts = open.Take(Named).Select((method, i) => $"{(i > 0 ? Number(method.Count) : Calls(method.Count))} of {method.FullName}").ToList();
        if (open.Count > Named) parts.Add($"{Number(open.Skip(Named).Sum(static method => method.Count))} of other methods");
        return parts.Count == 1 ? parts[0] : $"{string.Join(", ", parts[..^1])} and {parts[^1]}";
    }

    private static string Calls(long count) => count == 1 ? "1 call" : $"{Number(count)} calls";

    private static string Number(long count) => count.ToString("N0", CultureInfo.InvariantCulture);
}
