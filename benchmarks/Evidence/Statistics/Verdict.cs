namespace Evidence.Statistics;

/// <summary>What a table says of a goal.</summary>
internal static class Verdict
{
    public static string Of(bool isMet) => isMet ? "met" : "not met";
}
