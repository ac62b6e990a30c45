namespace Mux.Tests.Callbacks;

/// <summary><see cref="IProgress"/> before it had more than reports.</summary>
[MuxCallback]
public interface IOlderProgress
{
    [MuxMethod(OneWay = true)]
    ValueTask Report(int percent);
}
