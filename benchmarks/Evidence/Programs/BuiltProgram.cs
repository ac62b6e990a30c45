using System.Diagnostics;

namespace Evidence.Programs;

/// <summary>A program of this repository, built for release like this one.</summary>
internal sealed class BuiltProgram
{
    private readonly string _path;

    private BuiltProgram(string name)
    {
        _path = Path.Combine(Folder(name), name + ".dll");
        if (!File.Exists(_path)) throw new EvidenceException($"{_path} is not there: build {name} first, with -c Release.");
    }

    /// <exception cref="EvidenceException">It is not there, as for the others.</exception>
    public static BuiltProgram Tool => new("Mux.Tool");

    public static BuiltProgram Yardstick => new("Yardstick");

    public static BuiltProgram Self => new("Evidence");

    /// <summary>The folder of the repository.</summary>
    public static string Root => new DirectoryInfo(AppContext.BaseDirectory).Parent!.Parent!.Parent!.Parent!.FullName;

    /// <summary>Where a program is built: artifacts/bin/NAME/release, beside the folder of this one.</summary>
    public static string Folder(string name)
    {
        var own = new DirectoryInfo(AppContext.BaseDirectory);
        return Path.Combine(own.Parent!.Parent!.FullName, name, own.Name);
    }

    /// <summary>Starts it with its standard input and output in the hands of this process.</summary>
    /// <param name="arguments">Of its command line.</param>
    /// <param name="within">The program that starts it, with its arguments, such as one that enters a network namespace; none for itself.</param>
    public Process Start(IEnumerable<string> arguments, params IReadOnlyList<string> within)
    {
        string[] command = [.. within, "dotnet", _path, .. arguments];
        return Process.Start(new ProcessStartInfo(command[0], command[1..]) { RedirectStandardInput = true, RedirectStandardOutput = true })
            ?? throw new EvidenceException($"{command[0]} did not start.");
    }

    /// <summary>Runs it to its end.</summary>
    /// <returns>What it wrote to its standard output.</returns>
    /// <exception cref="EvidenceException">Its exit code is none of those that are accepted.</exception>
    public string Run(IReadOnlyCollection<string> arguments, Func<int, bool> isAccepted)
    {
        using var process = Start(arguments);
        process.StandardInput.Close();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return isAccepted(process.ExitCode) ? output : throw new EvidenceException($"{Path.GetFileName(_path)} {string.Join(' ', arguments)} ended with exit code {process.ExitCode}.");
    }
}
