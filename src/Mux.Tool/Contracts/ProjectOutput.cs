using System.ComponentModel;
using System.Diagnostics;
using System.Text;
using System.Text.Json;
using Mux.Description.Proto.Comparing;

namespace Mux.Tool.Contracts;

/// <summary>What the project in a folder builds.</summary>
/// <param name="Assembly">Path of the assembly.</param>
/// <param name="Level">What a change of its contracts may not break.</param>
internal sealed record ProjectOutput(string Assembly, ContractLevel Level)
{
    private const string LevelProperty = "MuxContractLevel";

    /// <exception cref="ToolException">There is not one project, it is not built, or its level is none.</exception>
    public static ProjectOutput Find(string folder)
    {
        var projects = Directory.GetFiles(folder, "*.csproj");
        if (projects.Length != 1)
            throw new ToolException(ExitCode.Usage, $"'{folder}' has {projects.Length} projects; name the assembly with --assembly.");
        var properties = Read(projects[0]);
        var path = properties.GetProperty("TargetPath").GetString()!;
        if (path.Length == 0)
            throw new ToolException(ExitCode.Usage, $"'{projects[0]}' builds for several frameworks; name the assembly of one with --assembly.");
        if (!File.Exists(path))
            throw new ToolException(ExitCode.Usage, $"'{path}' is not there; run 'dotnet build', or name the assembly with --assembly.");
        return new ProjectOutput(path, LevelOf(properties.GetProperty(LevelProperty).GetString()!));
    }

    private static ContractLevel LevelOf(string text) => text.Length == 0 ? ContractLevel.Wire
        : Enum.TryParse(text, ignoreCase: true, out ContractLevel level) ? level
        : throw new ToolException(ExitCode.Usage, $"{LevelProperty} of the project is '{text}'; allowed are Wire and Json.");

    private static JsonElement Read(string project)
    {
        string[] arguments = ["msbuild", project, "-getProperty:TargetPath", $"-getProperty:{LevelProperty}", "-nologo"];
        var start = new ProcessStartInfo("dotnet", arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
        };
        try
        {
            using var build = Process.Start(start)!;
            var errors = new StringBuilder();
            build.ErrorDataReceived += (_, line) => errors.AppendLine(line.Data);
            build.BeginErrorReadLine();
            var text = build.StandardOutput.ReadToEnd();
            build.WaitForExit();
            if (build.ExitCode != 0) throw new ToolException(ExitCode.Usage, $"'{project}' cannot be evaluated: {$"{text}{errors}".Trim()}");
            return JsonSerializer.Deserialize<JsonElement>(text).GetProperty("Properties");
        }
        catch (Exception error) when (error is Win32Exception or JsonException)
        {
            throw new ToolException(ExitCode.Usage, $"'dotnet msbuild' does not answer: {error.Message} Name the assembly with --assembly.", error);
        }
    }
}
