using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Yardstick;

/// <summary>The other process: serves, and tells what it has used for each line on its standard input. Ends with that input.</summary>
internal sealed class ServerProcess : IDisposable
{
    private readonly Process _process;

    private ServerProcess(Process process)
    {
        _process = process;
        EndPoint = new IPEndPoint(IPAddress.Loopback, int.Parse(process.StandardOutput.ReadLine()!, CultureInfo.InvariantCulture));
    }

    public IPEndPoint EndPoint { get; }

    public static ServerProcess Start()
    {
        string[] program = Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet" ? [typeof(ServerProcess).Assembly.Location] : [];
        var start = new ProcessStartInfo(Environment.ProcessPath!, [.. program, "--serve"]) { RedirectStandardInput = true, RedirectStandardOutput = true };
        return new ServerProcess(Process.Start(start)!);
    }

    /// <summary>What runs in it.</summary>
    public static void Serve()
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(512);
        var loop = new EventLoop();
        new Thread(() => Accept(listener, loop)) { IsBackground = true, Name = "accept" }.Start();
        Console.WriteLine(((IPEndPoint)listener.LocalEndPoint!).Port);
        while (Console.ReadLine() is not null) Console.WriteLine(Usage.Read());
    }

    /// <summary>What the process has used so far.</summary>
    public Usage ReadUsage()
    {
        _process.StandardInput.WriteLine();
        return Usage.Parse(_process.StandardOutput.ReadLine()!);
    }

    public void Dispose()
    {
        _process.StandardInput.Close();
        _process.WaitForExit();
        _process.Dispose();
    }

    private static void Accept(Socket listener, EventLoop loop)
    {
        while (true) loop.Add(new ServerConnection(listener.Accept()));
    }
}
