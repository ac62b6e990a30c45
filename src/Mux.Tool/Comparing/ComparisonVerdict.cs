namespace Mux.Tool.Comparing;

internal enum ComparisonVerdict
{
    /// <summary>Not known to differ by more than the threshold.</summary>
    Same,

    Better,

    Worse,
}
