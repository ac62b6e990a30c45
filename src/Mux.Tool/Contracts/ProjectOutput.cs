using System.Diagnostics;

namespace Mux.Tool.Contracts;

/// <summary>Finds the assembly of the project in a folder.</summary>
internal static class ProjectOutput
{
    /// <exception cref="ToolException">There is not one project, or it is not built.</exception>
    public static string Find(string folder)
    {
        var projects = Directory.GetFiles(folder, "*.csproj");
        if (projects.Length != 1)
            throw new ToolException(ExitCode.Usage, $"'{folder}' has {projects.Length} projects; name the assembly with --assembly.");
        var start = new ProcessStartInfo("dotnet", ["msbuild", projects[0], "-getProperty:TargetPath", "-nologo"])
        {
            RedirectStandardOutput = true,
            UseShellExecute = false,
        };
        using var build = Process.Start(start) ?? throw new ToolException(ExitCode.Usage, "'dotnet' cannot be run; name the assembly with --assembly.");
        var path = build.StandardOutput.ReadToEnd().Trim();
        build.WaitForExit();
        return build.ExitCode == 0 && File.Exists(path)
            ? path : throw new ToolException(ExitCode.Usage, $"'{projects[0]}' is not built; run 'dotnet build', or name the assembly with --assembly.");
    }
}
