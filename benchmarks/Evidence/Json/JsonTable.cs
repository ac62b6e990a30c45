using System.Buffers;
using System.Runtime.InteropServices;
using System.Text;
using Mux.Description;
using Seeds.Contracts;

namespace Evidence.Json;

/// <summary>Messages turned into JSON and back, by a contract's description: bytes of JSON for each second of a CPU, and what is allocated.</summary>
internal static class JsonTable
{
    private const string Employee =
        """{"id":7,"lastName":"Davolio","firstName":"Nancy","title":"Sales","city":"Seattle","region":"WA","country":"USA","requestTime":1.5}""";

    private const int Calls = 200_000;

    public static void Run(CommandLine options)
    {
        int rounds = options.Count("--rounds", 12, 1, 1000);
        var json = new MessageJson(ContractSet.Of<IDirectory>().FindService("seeds.Directory")!.Methods[0].Response);
        var text = Encoding.UTF8.GetBytes(Employee);
        var output = new ArrayBufferWriter<byte>(1 << 12);
        json.Read(text, output);
        byte[] message = output.WrittenSpan.ToArray();
        Console.WriteLine($"{RuntimeInformation.OSDescription}, {RuntimeInformation.FrameworkDescription}, {RuntimeInformation.ProcessArchitecture}; a message of {message.Length} bytes, {text.Length} bytes of JSON; the best of {rounds} rounds.");
        Console.WriteLine();
        Console.WriteLine("| | MB of JSON per second of a CPU | bytes allocated in the last round |");
        Console.WriteLine("|---|---|---|");
        Measure("message to JSON", rounds, text.Length, () => Reset(output, buffer => json.Write(message, buffer)));
        Measure("JSON to message", rounds, text.Length, () => Reset(output, buffer => json.Read(text, buffer)));
    }

    private static void Reset(ArrayBufferWriter<byte> output, Action<ArrayBufferWriter<byte>> call)
    {
        for (int i = 0; i < Calls; i++)
        {
            output.ResetWrittenCount();
            call(output);
        }
    }

    private static void Measure(string name, int rounds, int size, Action round)
    {
        double best = 0;
        long allocated = 0;
        for (int i = 0; i < rounds; i++)
        {
            var cpu = Environment.CpuUsage.TotalTime;
            long before = GC.GetAllocatedBytesForCurrentThread();
            round();
            allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            best = Math.Max(best, (double)Calls * size / (Environment.CpuUsage.TotalTime - cpu).TotalSeconds / 1e6);
        }

        Console.WriteLine($"| {name} | {best:F0} | {allocated} |");
    }
}
