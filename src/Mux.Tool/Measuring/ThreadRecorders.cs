namespace Mux.Tool.Measuring;

/// <summary>Recorders of one thread, created on first use: only that thread writes, any thread reads.</summary>
internal sealed class ThreadRecorders
{
    private readonly LatencyRecorder?[] _recorders = new LatencyRecorder?[Enum.GetValues<Measured>().Length];

    /// <summary>Gets a recorder, for the thread itself.</summary>
    public LatencyRecorder this[Measured kind] => _recorders[(int)kind] ?? Add(kind);

    /// <summary>Gets a recorder, for other threads; null if nothing was recorded.</summary>
    public LatencyRecorder? Find(Measured kind) => Volatile.Read(ref _recorders[(int)kind]);

    private LatencyRecorder Add(Measured kind)
    {
        var recorder = new LatencyRecorder();
        Volatile.Write(ref _recorders[(int)kind], recorder);
        return recorder;
    }
}
