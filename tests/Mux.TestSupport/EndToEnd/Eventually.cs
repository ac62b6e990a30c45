using System.Diagnostics;
using Mux.TestSupport.Transports;

namespace Mux.TestSupport.EndToEnd;

/// <summary>Waiting for what gives no signal, such as the number of handles of the process.</summary>
public static class Eventually
{
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(2);

    /// <summary>Returns when the condition holds.</summary>
    /// <exception cref="TimeoutException">It did not come to hold in time; the message is that of <paramref name="what"/>.</exception>
    public static async Task Holds(Func<bool> condition, Func<string> what)
    {
        if (condition()) return;
        long start = Stopwatch.GetTimestamp();
        using var timer = new PeriodicTimer(s_interval);
        while (Stopwatch.GetElapsedTime(start) < Awaited.Patience)
        {
            await timer.WaitForNextTickAsync();
            if (condition()) return;
        }

        throw new TimeoutException($"Waited {Awaited.Patience.TotalSeconds:F0} s for: {what()}");
    }

    /// <inheritdoc cref="Holds(Func{bool}, Func{string})"/>
    public static Task Holds(Func<bool> condition, string what) => Holds(condition, () => what);
}
