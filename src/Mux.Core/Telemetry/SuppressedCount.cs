namespace Mux.Telemetry;

/// <summary>The end of a log message that is limited in rate: how many like it were not logged. Says nothing of none.</summary>
internal readonly record struct SuppressedCount(int Count)
{
    public static implicit operator SuppressedCount(int count) => new(count);

    public override string ToString() => Count == 0 ? string.Empty : $" Suppressed since the last such message: {Count}.";
}
