namespace Mux.Generators.Contracts.Reading;

/// <summary>The names by which both sides of a connection know services and methods.</summary>
internal static class WireName
{
    private const int MaxLength = 127;
    private const string AsyncSuffix = "Async";

    public static bool IsValid(string name) => name.Length is > 0 and <= MaxLength && name.All(IsAllowed);

    /// <summary>The C# name without Async at its end; a method called just Async keeps it.</summary>
    public static string OfMethod(string name)
    {
        bool isCut = name.Length > AsyncSuffix.Length && name.EndsWith(AsyncSuffix, StringComparison.Ordinal);
        return isCut ? name.Substring(0, name.Length - AsyncSuffix.Length) : name;
    }

    // ASCII only: a wire name must look the same to every peer.
    private static bool IsAllowed(char c) => c is (>= 'a' and <= 'z') or (>= 'A' and <= 'Z') or (>= '0' and <= '9') or '.' or '_' or '-';
}
