using System.Runtime.ExceptionServices;

namespace Mux.TestSupport.Serializers;

/// <summary>Runs code where there is little stack: what recurses too deep ends the process.</summary>
public static class StackLimit
{
    private const int Bytes = 256 * 1024;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    public static void Run(Action action) => Run(action, static () => false, static () => "all of it");

    /// <param name="action">What is run.</param>
    /// <param name="hasMoved">Whether it has got on since this was asked last: nobody waits for what does not for a minute.</param>
    /// <param name="describe">What it is at.</param>
    public static void Run(Action action, Func<bool> hasMoved, Func<string> describe)
    {
        Exception? failure = null;
        var thread = new Thread(() => failure = Record.Exception(action), Bytes) { IsBackground = true }; // one that hangs must not keep the process
        thread.Start();
        while (!thread.Join(s_patience)) Assert.True(hasMoved(), $"the thread with the small stack gets on within {s_patience.TotalSeconds} s with {describe()}");
        if (failure is not null) ExceptionDispatchInfo.Throw(failure);
    }
}
