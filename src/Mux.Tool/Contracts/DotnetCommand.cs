using System.ComponentModel;
using System.Diagnostics;
using System.Text;

namespace Mux.Tool.Contracts;

/// <summary>Runs the command <c>dotnet</c> to its end.</summary>
internal static class DotnetCommand
{
    /// <returns>Its exit code, what it prints, and its errors after that.</returns>
    /// <exception cref="ToolException">It cannot be started.</exception>
    public static (int ExitCode, string Output, string Errors) Run(params IEnumerable<string> arguments)
    {
        var start = new ProcessStartInfo("dotnet", arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
            UseShellExecute = false,

            // A node that stays keeps the pipes open, whose end is waited for.
            Environment = { ["MSBUILDDISABLENODEREUSE"] = "1" },
        };
        try
        {
            using var process = Process.Start(start)!;
            process.StandardInput.Close();
            var errors = new StringBuilder();
            process.ErrorDataReceived += (_, line) => errors.AppendLine(line.Data);
            process.BeginErrorReadLine();
            var output = process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            return (process.ExitCode, output, errors.ToString());
        }
        catch (Win32Exception error)
        {
            throw new ToolException(ExitCode.Usage,
                $"'dotnet' does not start: {error.Message} Name the assembly with --assembly.", error);
        }
    }
}
