using System.Runtime.CompilerServices;
using Mux.Runtime;

namespace Mux.Core.Tests.Transports.Sockets;

public sealed class ListeningSocketTests
{
    [Fact]
    public void The_timer_of_the_process_keeps_nothing_of_the_code_that_listens_first()
    {
        var (timer, value) = Create();

        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();

        Assert.False(value.IsAlive, "The timer keeps the AsyncLocals of its creator.");
        timer.Dispose();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (ITimer Timer, WeakReference Value) Create()
    {
        ITimer? timer = null;
        WeakReference? value = null;
        var thread = new Thread(() =>
        {
            var local = new AsyncLocal<object> { Value = new object() };
            value = new WeakReference(local.Value);
            timer = ListeningSocket.CreateTimer();
        });
        thread.Start();
        thread.Join();
        return (timer!, value!);
    }
}
