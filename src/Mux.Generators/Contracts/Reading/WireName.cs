namespace Mux.Generators.Contracts.Reading;

/// <summary>Names of services and methods on the wire.</summary>
internal static class WireName
{
    private const int MaxLength = 127;
    private const string AsyncSuffix = "Async";

    public static bool IsValid(string name) => name.Length is > 0 and <= MaxLength && name.All(IsAllowed);

    /// <summary>Gets the C# name without the suffix Async; a method named just Async keeps it.</summary>
    public static string OfMethod(string name)
    {
        bool isCut = name.Length > AsyncSuffix.Length && name.EndsWith(AsyncSuffix, StringComparison.Ordinal);
        return isCut ? name.Substring(0, name.Length - AsyncSuffix.Length) : name;
    }

    // ASCII only: a wire name must look the same to all peers.
    private static bool IsAllowed(char c) => c is (>= 'a' and <= 'z') or (>= 'A' and <= 'Z') or (>= '0' and <= '9') or '.' or '_' or '-';
}
