using System.Collections.Concurrent;
using System.Diagnostics;

namespace Mux.TestSupport.EndToEnd;

/// <summary>
/// Turns a failing Debug.Assert into an exception where it stands, and remembers it, because the code above may catch it. In release builds there are no such assertions.
/// </summary>
internal sealed class FailedAssertions : TraceListener
{
    private static readonly ConcurrentQueue<string> s_failures = [];

    private FailedAssertions()
    {
    }

    /// <summary>Replaces the listener that would end the process.</summary>
    public static void Install()
    {
        Trace.Listeners.Clear();
        Trace.Listeners.Add(new FailedAssertions());
    }

    /// <summary>Those since the last time.</summary>
    public static IReadOnlyList<string> Take()
    {
        var failures = new List<string>();
        while (s_failures.TryDequeue(out var failure)) failures.Add(failure);
        return failures;
    }

    public override void Fail(string? message, string? detailMessage)
    {
        var text = $"Debug.Assert failed: {message} {detailMessage}";
        s_failures.Enqueue($"{text}\n{Environment.StackTrace}");
        throw new InvalidOperationException(text);
    }

    public override void Fail(string? message) => Fail(message, null);

    public override void Write(string? message)
    {
        // Only failures matter.
    }

    public override void WriteLine(string? message)
    {
        // Only failures matter.
    }
}
