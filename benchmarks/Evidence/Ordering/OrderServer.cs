using System.Diagnostics;
using Evidence.Serving;

namespace Evidence.Ordering;

/// <summary>The other process: answers until its standard input ends.</summary>
internal static class OrderServer
{
    /// <summary>What a batch takes, as a statement of a database does: so much for each batch, and so much for each call of it.</summary>
    private const double BatchMicroseconds = 20, CallMicroseconds = 0.05;

    public static void Serve()
    {
        var transport = EngineChoice.Transport(EngineChoice.All[0]);
        var server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", Transport = transport }).AddService<IOrderly>(new Orderly());
        server.Start();
        Console.WriteLine(server.Address);
        Console.In.ReadToEnd();
        Environment.Exit(0);
    }

    private sealed class Orderly : IOrderlyBatch
    {
        public ValueTask<OrderReply> Plain(OrderRequest request) => new(new OrderReply { Number = request.Number });

        public ValueTask<OrderReply> Ordered(OrderRequest request) => new(new OrderReply { Number = request.Number });

        public ValueTask Together(MuxCalls<OrderRequest, OrderReply> calls)
        {
            long begun = Stopwatch.GetTimestamp();
            foreach (var call in calls) call.SetResult(new OrderReply { Number = call.Request.Number });
            double time = BatchMicroseconds + (calls.Count * CallMicroseconds);
            while (Stopwatch.GetElapsedTime(begun).TotalMicroseconds < time) Thread.SpinWait(1);
            return default;
        }

        public ValueTask<double> ProcessorTime() => new(Environment.CpuUsage.TotalTime.TotalMicroseconds);
    }
}
