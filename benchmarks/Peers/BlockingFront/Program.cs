using System.Globalization;
using BlockingFront.Load;
using BlockingFront.Stacks;

// The other processes: a back that answers after 20 ms, and a front whose handlers block until it has. Each writes its port and ends with its standard input.
if (args is ["back", var backStack])
{
    await Stack.Named(backStack).RunBackAsync(Announce);
    return 0;
}

if (args is ["front", var frontStack, var back])
{
    await Stack.Named(frontStack).RunFrontAsync(int.Parse(back, CultureInfo.InvariantCulture), Announce);
    return 0;
}

if (!RunOptions.TryParse(args, out var options))
{
    Console.Error.WriteLine("""
        Usage: dotnet run -c Release --project benchmarks/Peers/BlockingFront -- [--callers 70,150,300,1000] [--seconds 60] [--rounds 1] [--stacks mux,grpc,threads] [--goal 0.8]
        Callers of a front whose handlers block on a call to a back in a third process, which answers after 20 ms.
        Exit code 1 if, in any second from the 10th on (from the last two thirds on, if there are fewer than 15), Mux makes less than the goal times what the others make in the median.
        """);
    return 2;
}

return await FrontTable.RunAsync(options);

static async Task Announce(int port)
{
    await Console.Out.WriteLineAsync(port.ToString(CultureInfo.InvariantCulture));
    while (await Console.In.ReadLineAsync() is not null)
    {
        // Nothing is asked of it but to end when its standard input does.
    }
}
