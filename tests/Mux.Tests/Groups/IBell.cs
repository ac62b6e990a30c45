namespace Mux.Tests.Groups;

/// <summary>Another contract that groups can call.</summary>
[MuxService("test.Bell")]
public interface IBell
{
    [MuxMethod(OneWay = true)]
    ValueTask Ring();
}
