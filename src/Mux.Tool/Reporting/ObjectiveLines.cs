using Mux.Tool.Capacity;

namespace Mux.Tool.Reporting;

/// <summary>Text about the objectives of a bench.</summary>
internal static class ObjectiveLines
{
    private const int Width = 80;

    /// <summary>Gets a block for the standard output.</summary>
    public static IEnumerable<string> Lines(ObjectivesOutcome outcome)
    {
        yield return $"Objectives {NameOf(outcome.IsMet)}";
        foreach (var one in outcome.Each)
        {
            foreach (var line in TextLines.Wrap($"  {NameOf(one.IsMet),-9}", Told(one), Width)) yield return line;
        }

        yield return "";
    }

    /// <summary>Gets the problems for the standard error stream.</summary>
    public static IEnumerable<string> Problems(ObjectivesOutcome outcome)
    {
        var missed = outcome.Each.Where(one => one.IsMet == false).Select(Told).ToArray();
        var unknown = outcome.Each.Where(one => one.IsMet is null).Select(Told).ToArray();
        if (missed.Length > 0) yield return $"Objectives missed: {string.Join("; ", missed)}.";
        if (unknown.Length > 0) yield return $"Objectives unknown: {string.Join("; ", unknown)}. A longer run has more replies.";
    }

    /// <summary>Gets the name of an outcome.</summary>
    public static string NameOf(bool? isMet) => isMet switch { true => "met", false => "MISSED", null => "unknown" };

    private static string Told(ObjectiveOutcome one) => $"{one.Objective}, measured {one.Text}";
}
