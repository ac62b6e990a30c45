using Mux.Walk.Tests.Weaving;

namespace Mux.Walk.Tests.Samples;

/// <summary>A class whose entries can be counted by hand.</summary>
internal static class Counted
{
    /// <summary>Enters <see cref="First"/> once, <see cref="Second"/> three times, and the accessor twice.</summary>
    public static int[] Run()
    {
        Probe.Start(watchesPool: false);
        First();
        _ = Value + Value;
        return Probe.Stop();
    }

    private static int Value => Environment.ProcessId;

    private static void First()
    {
        for (int i = 0; i < 3; i++) Second();
    }

    private static void Second()
    {
    }
}
