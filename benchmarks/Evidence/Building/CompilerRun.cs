using System.Diagnostics;
using System.Globalization;

namespace Evidence.Building;

/// <summary>One run of the compiler in a process of its own, as a build without a compiler server has it.</summary>
/// <param name="Cpu">Seconds of all its threads.</param>
/// <param name="Memory">The most that it had, MB.</param>
/// <param name="Library">What it wrote, MB.</param>
internal readonly record struct CompilerRun(double Cpu, double Memory, double Library)
{
    private const double Mega = 1e6;
    private const double TicksPerSecond = 100; // of the kernel, on each machine that .NET supports

    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(20);

    /// <param name="folder">With the sources; what is compiled goes there too.</param>
    /// <param name="hasGenerator">False for the contracts alone.</param>
    /// <exception cref="EvidenceException">They do not compile.</exception>
    public static CompilerRun Of(string folder, bool hasGenerator)
    {
        var library = Path.Combine(folder, "Plant.dll");
        List<string> arguments =
            ["/nostdlib", "/target:library", "/optimize+", "/debug-", "/nullable:enable", "/nologo", "/nowarn:1701,1702", $"/out:{library}"];
        if (hasGenerator) arguments.Add($"/analyzer:{typeof(Mux.Generators.MuxGenerator).Assembly.Location}");
        arguments.AddRange(References.To("Mux.Abstractions.dll").Select(static reference => $"/reference:{reference.Display}"));
        arguments.AddRange(Directory.GetFiles(folder, "*.cs").Order(StringComparer.Ordinal));
        var response = Path.Combine(folder, "arguments.rsp");
        File.WriteAllLines(response, arguments.Select(static argument => $"\"{argument}\""));
        using var process = Process.Start(new ProcessStartInfo("dotnet", [Compiler(), "/noconfig", $"@{response}"]))!;
        double cpu = 0;
        double memory = 0;
        do
        {
            cpu = Math.Max(cpu, CpuOf(process.Id));
            memory = Math.Max(memory, MemoryOf(process.Id));
        }
        while (!process.WaitForExit(s_interval));
        return process.ExitCode == 0 ? new(cpu, memory, new FileInfo(library).Length / Mega) : throw new EvidenceException($"csc ended with exit code {process.ExitCode}.");
    }

    // The one of the newest SDK beside the runtime of this process.
    private static string Compiler()
    {
        var root = Path.GetFullPath(Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "../../.."));
        var folders = Directory.GetDirectories(Path.Combine(root, "sdk"));
        var paths = folders.Select(static folder => Path.Combine(folder, "Roslyn/bincore/csc.dll")).Where(File.Exists);
        return paths.Order(StringComparer.Ordinal).LastOrDefault() ?? throw new EvidenceException($"{root} has no SDK.");
    }

    // Of /proc/PID/stat: the times follow the name in brackets, as the 12th and 13th field.
    private static double CpuOf(int process)
    {
        var text = Read($"/proc/{process}/stat");
        if (text.Length == 0) return 0;
        var fields = text[(text.LastIndexOf(')') + 2)..].Split(' ');
        return (double.Parse(fields[11], CultureInfo.InvariantCulture) + double.Parse(fields[12], CultureInfo.InvariantCulture)) / TicksPerSecond;
    }

    private static double MemoryOf(int process)
    {
        var line = Array.Find(Read($"/proc/{process}/status").Split('\n'), static line => line.StartsWith("VmHWM:", StringComparison.Ordinal));
        return line is null ? 0 : double.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[^2], CultureInfo.InvariantCulture) * 1024 / Mega;
    }

    private static string Read(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (IOException)
        {
            return string.Empty; // the process has ended
        }
    }
}
