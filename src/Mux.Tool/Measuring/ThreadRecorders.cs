namespace Mux.Tool.Measuring;

/// <summary>The recorders of one thread, each made when it is first needed: written by that thread alone, read by any.</summary>
internal sealed class ThreadRecorders
{
    private readonly LatencyRecorder?[] _recorders = new LatencyRecorder?[Enum.GetValues<Measured>().Length];

    /// <summary>For the thread itself.</summary>
    public LatencyRecorder this[Measured kind] => _recorders[(int)kind] ?? Add(kind);

    /// <summary>For others; null where nothing was recorded.</summary>
    public LatencyRecorder? Find(Measured kind) => Volatile.Read(ref _recorders[(int)kind]);

    private LatencyRecorder Add(Measured kind)
    {
        var recorder = new LatencyRecorder();
        Volatile.Write(ref _recorders[(int)kind], recorder);
        return recorder;
    }
}
