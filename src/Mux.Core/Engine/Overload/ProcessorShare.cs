namespace Mux.Engine;

/// <summary>The share of its processors that a process has used since the last time it was asked. Pure; times in microseconds.</summary>
/// <param name="processors">Number of processors that the process may use.</param>
internal sealed class ProcessorShare(int processors)
{
    private long _used = -1;
    private long _at;

    /// <summary>Gets the share in thousandths; 0 the first time.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="used">Processor time of the process since its start, all threads together.</param>
    public int Of(long now, long used)
    {
        long passed = (now - _at) * processors;
        int share = _used < 0 || passed <= 0 ? 0 : (int)Math.Clamp((used - _used) * 1_000 / passed, 0, 1_000);
        (_at, _used) = (now, used);
        return share;
    }
}
