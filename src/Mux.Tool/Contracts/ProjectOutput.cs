using System.Text.Json;
using Mux.Description.Proto.Comparing;
using Mux.Tool.Reporting;

namespace Mux.Tool.Contracts;

/// <summary>What the project in a folder builds.</summary>
/// <param name="Assembly">Path of the assembly.</param>
/// <param name="Level">What a change of its contracts may not break.</param>
internal sealed record ProjectOutput(string Assembly, ContractLevel Level)
{
    private const string LevelProperty = "MuxContractLevel";

    /// <summary>
    /// Finds the project in a folder, and builds it without a comparison: the contracts are compared afterwards.
    /// </summary>
    /// <param name="folder">The folder.</param>
    /// <param name="framework">The framework, for a project that builds for several; null for the only one.</param>
    /// <param name="isBuilt">True to take the last build, which may not be older than the sources.</param>
    /// <param name="errors">Takes the errors of the build.</param>
    /// <exception cref="ToolException">
    /// There is not one project, it does not build, it is not built, or its level is none.
    /// </exception>
    public static ProjectOutput Find(string folder, string? framework, bool isBuilt, TextWriter errors)
    {
        var projects = Directory.GetFiles(folder, "*.csproj");
        if (projects.Length != 1)
            throw new ToolException(ExitCode.Usage,
                $"'{folder}' has {projects.Length} projects; name the assembly with --assembly.");
        var project = Read(projects[0], framework);
        var path = project.GetProperty("Properties").GetProperty("TargetPath").GetString()!;
        if (path.Length == 0)
            throw new ToolException(ExitCode.Usage,
                $"'{projects[0]}' builds for several frameworks; name one with --framework.");
        var level = LevelOf(project.GetProperty("Properties").GetProperty(LevelProperty).GetString()!);
        if (!isBuilt) Build(projects[0], framework, errors);
        else if (!File.Exists(path))
            throw new ToolException(ExitCode.Usage, $"'{path}' is not there; leave out --no-build.");
        else
            AssemblySources.RefuseOld(path, [projects[0], .. PathsOf(project, "Compile"), .. PathsOf(project, "MuxProto")]);
        return new ProjectOutput(path, level);
    }

    private static void Build(string project, string? framework, TextWriter writer)
    {
        string[] options = framework is null ? [] : ["--framework", framework];
        var path = Path.GetFullPath(project);
        var (exitCode, output, errors) = DotnetCommand.Run(
            ["build", path, .. options, $"-p:MuxComparedProject={Escape(path)}", "-nologo", "-v:q", "-clp:NoSummary"]);
        if (exitCode == 0) return;
        var lines =
            $"{output}{errors}".Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        var mistakes = lines.Where(static line => line.Contains("error ", StringComparison.Ordinal))
            .Distinct(StringComparer.Ordinal).ToList();
        foreach (var line in mistakes.Count > 0 ? mistakes : [.. lines]) writer.WriteLine(PrintableText.Of(line));
        throw new ToolException(ExitCode.Usage, $"'{project}' does not build; correct the errors above.");
    }

    // MSBuild separates properties by both marks.
    private static string Escape(string path) =>
        path.Replace("%", "%25", StringComparison.Ordinal).Replace(";", "%3B", StringComparison.Ordinal)
            .Replace(",", "%2C", StringComparison.Ordinal);

    private static IEnumerable<string> PathsOf(JsonElement project, string item) =>
        project.GetProperty("Items").GetProperty(item).EnumerateArray()
            .Select(static found => found.GetProperty("FullPath").GetString()!);

    private static ContractLevel LevelOf(string text) => text.Length == 0 ? ContractLevel.Wire
        : Enum.TryParse(text, ignoreCase: true, out ContractLevel level) && Enum.IsDefined(level) ? level
        : throw new ToolException(ExitCode.Usage,
            $"{LevelProperty} of the project is '{text}'; allowed are Wire and Json.");

    private static JsonElement Read(string project, string? framework)
    {
        string[] options = framework is null ? [] : [$"-p:TargetFramework={framework}"];
        var (exitCode, output, errors) = DotnetCommand.Run(
        [
            "msbuild", project, .. options, "-getProperty:TargetPath", $"-getProperty:{LevelProperty}", "-getItem:Compile",
            "-getItem:MuxProto", "-nologo",
        ]);
        if (exitCode != 0)
            throw new ToolException(ExitCode.Usage, $"'{project}' cannot be evaluated: {$"{output}{errors}".Trim()}");
        try
        {
            return JsonSerializer.Deserialize<JsonElement>(output);
        }
        catch (JsonException error)
        {
            throw new ToolException(ExitCode.Usage,
                $"'dotnet msbuild' does not answer: {error.Message} Name the assembly with --assembly.", error);
        }
    }
}
