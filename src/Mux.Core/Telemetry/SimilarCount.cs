namespace Mux.Telemetry;

/// <summary>The end of a log message whose like are logged at level Debug for a while: how many those were. Says nothing of none.</summary>
internal readonly record struct SimilarCount(int Count)
{
    public static implicit operator SimilarCount(int count) => new(count);

    public override string ToString() => Count == 0 ? string.Empty : $" Similar messages at level Debug since the last one: {Count}.";
}
