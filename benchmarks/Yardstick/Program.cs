// A bare multiplexed call in C#: what the runtime and the kernel allow for the employee workload of 'mux bench', without anything a product needs (limits,
// errors, deadlines, more than one method). What Mux reaches of it, run in the same minutes on the same machine, is a figure that means something elsewhere.
//
//   dotnet run -c Release --project benchmarks/Yardstick -- --connections 10 --in-flight 200 --seconds 5 --warmup 3 [--record]
//
// Two processes, TCP over loopback, closed loop, every reply checked. --record also takes the time of each call. Prints one line of JSON. Linux on x64 only.
using Yardstick;

if (args is ["--serve"])
{
    ServerProcess.Serve();
    return 0;
}

if (YardstickOptions.TryParse(args, out var options, out var error))
{
    Console.WriteLine(Measurement.Run(options));
    return 0;
}

Console.Error.WriteLine(error);
return 2;
