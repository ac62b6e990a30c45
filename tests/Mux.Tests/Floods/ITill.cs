namespace Mux.Tests.Floods;

/// <summary>Calls of each priority.</summary>
[MuxService("test.Till")]
public interface ITill
{
    [MuxMethod(Priority = MuxCallPriority.Low)]
    ValueTask<int> Browse(int number);

    /// <summary>Its handler blocks until the test lets it go.</summary>
    ValueTask<int> Order(int number);

    [MuxMethod(Priority = MuxCallPriority.High, Dispatch = MuxDispatchMode.Inline)]
    ValueTask<int> Pay(int number);
}
