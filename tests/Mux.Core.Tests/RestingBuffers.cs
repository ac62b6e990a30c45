using System.Diagnostics;
using Mux.Buffers;
using Mux.TestSupport.EndToEnd;

namespace Mux.Core.Tests;

/// <summary>The tests before these have ended, and links that they closed may still give buffers back: waits until none has come or gone for a while.</summary>
public sealed class RestingBuffers : IAsyncLifetime
{
    private static readonly TimeSpan s_rest = TimeSpan.FromMilliseconds(300);

    public async ValueTask InitializeAsync()
    {
        long last = BufferPool.Outstanding, since = Stopwatch.GetTimestamp();
        await Eventually.Holds(
            () =>
            {
                if (BufferPool.Outstanding != last) (last, since) = (BufferPool.Outstanding, Stopwatch.GetTimestamp());
                return Stopwatch.GetElapsedTime(since) > s_rest;
            },
            () => $"buffers at rest; outstanding are {BufferPool.Outstanding}");
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
