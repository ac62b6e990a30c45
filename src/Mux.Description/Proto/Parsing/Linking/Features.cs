namespace Mux.Description.Proto.Parsing.Linking;

/// <summary>The features that apply to something, by the names of their values.</summary>
internal sealed record Features(string Presence, string EnumType, string Repeated, string Utf8, string Encoding, string Json)
{
    public static Features Proto2 { get; } = new("EXPLICIT", "CLOSED", "EXPANDED", "NONE", "LENGTH_PREFIXED", "LEGACY_BEST_EFFORT");

    public static Features Proto3 { get; } = new("IMPLICIT", "OPEN", "PACKED", "VERIFY", "LENGTH_PREFIXED", "ALLOW");

    public static Features Edition2023 { get; } = new("EXPLICIT", "OPEN", "PACKED", "VERIFY", "LENGTH_PREFIXED", "ALLOW");
}
