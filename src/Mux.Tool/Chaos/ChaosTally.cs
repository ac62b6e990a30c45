namespace Mux.Tool.Chaos;

/// <summary>Counts of a connection, or of all. Thread-safe.</summary>
/// <param name="all">Counts the same for all connections; null for the tally of all.</param>
internal sealed class ChaosTally(ChaosTally? all = null)
{
    private readonly long[] _counts = new long[Enum.GetValues<ChaosCount>().Length];

    public long this[ChaosCount count] => Interlocked.Read(ref _counts[(int)count]);

    /// <summary>Number of faults that happened: stalls, resets, and bytes that were dropped or changed.</summary>
    public long Faults => this[ChaosCount.Stalls] + this[ChaosCount.DroppedBytes] + this[ChaosCount.CorruptedBytes] + this[ChaosCount.Resets];

    public void Add(ChaosCount count, long number = 1)
    {
        Interlocked.Add(ref _counts[(int)count], number);
        all?.Add(count, number);
    }
}
