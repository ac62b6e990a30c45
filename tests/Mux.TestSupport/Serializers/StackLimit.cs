using System.Runtime.ExceptionServices;

namespace Mux.TestSupport.Serializers;

/// <summary>Runs code where there is little stack: what recurses too deep ends the process.</summary>
public static class StackLimit
{
    private const int Bytes = 256 * 1024;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    public static void Run(Action action) => Run(action, s_patience);

    /// <param name="action">What is run.</param>
    /// <param name="patience">How long it may take.</param>
    public static void Run(Action action, TimeSpan patience)
    {
        Exception? failure = null;
        var thread = new Thread(() => failure = Record.Exception(action), Bytes);
        thread.Start();
        Assert.True(thread.Join(patience), $"the thread with the small stack ends within {patience.TotalSeconds} s");
        if (failure is not null) ExceptionDispatchInfo.Throw(failure);
    }
}
