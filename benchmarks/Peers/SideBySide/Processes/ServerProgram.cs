using System.Text.Json;
using SideBySide.Stacks;

namespace SideBySide.Processes;

/// <summary>The server process: writes its port, and its figures for each line that it reads, until there are no more.</summary>
internal static class ServerProgram
{
    public const string Glance = "glance";
    public const string Describe = "describe";

    public static void Run(Stack stack)
    {
        var server = stack.StartAsync().GetAwaiter().GetResult();
        Console.WriteLine(server.Port);
        while (Console.ReadLine() is { } question)
        {
            Console.WriteLine(JsonSerializer.Serialize(question == Describe ? ProcessFigures.Read(server.Port) : ProcessFigures.Glance()));
        }

        GC.KeepAlive(server);
        Environment.Exit(0); // with its connections as they are
    }
}
