namespace Mux.Tests.Execution;

/// <summary>Memory is short when the heap of the process is near its limit, however much the machine has.</summary>
public sealed class LimitedHeapTests
{
    private const int Patience = 60_000;

    [Fact(Timeout = Patience)]
    public async Task Unused_arrays_are_dropped_when_the_heap_is_near_its_limit_and_kept_before()
    {
        // The limit of a container sets the same one: three quarters of it are for the heap.
        Dictionary<string, string> environment = new() { ["DOTNET_GCHeapHardLimit"] = "0x8000000", ["DOTNET_gcServer"] = "0" };
        await using var sut = new LineProcess(environment, "limited-heap", "50", "90");
        Assert.StartsWith("kept at 50 %", await sut.NextLineAsync("a heap that is half full"), StringComparison.Ordinal);
        Assert.StartsWith("dropped at 90 %", await sut.NextLineAsync("a heap that is nearly full"), StringComparison.Ordinal);
    }
}
