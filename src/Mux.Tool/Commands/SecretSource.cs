namespace Mux.Tool.Commands;

/// <summary>Source of a secret. Never the command line, which every user of the machine can read.</summary>
/// <param name="IsFile">True for a file, false for an environment variable.</param>
/// <param name="Name">Path of the file, or name of the variable.</param>
internal sealed record SecretSource(bool IsFile, string Name)
{
    public const string Expected = "file:PATH or env:NAME";

    private const string FilePrefix = "file:", VariablePrefix = "env:";

    /// <summary>Parses <see cref="Expected"/>.</summary>
    /// <returns>Null for anything else, which may be a secret and must not be repeated in messages.</returns>
    public static SecretSource? Parse(string text)
    {
        bool isFile = text.StartsWith(FilePrefix, StringComparison.Ordinal);
        if (!isFile && !text.StartsWith(VariablePrefix, StringComparison.Ordinal)) return null;
        var name = text[(isFile ? FilePrefix : VariablePrefix).Length..];
        return name.Length == 0 ? null : new SecretSource(isFile, name);
    }

    /// <summary>Reads the current secret, without white space around it.</summary>
    /// <param name="option">Name of the option, for messages.</param>
    /// <exception cref="ToolException">The secret is missing or cannot be read.</exception>
    public string Read(string option)
    {
        var text = (IsFile ? ReadFile(option) : Environment.GetEnvironmentVariable(Name))?.Trim();
        if (!string.IsNullOrEmpty(text)) return text;
        throw Wrong(option, IsFile ? $"the file '{Name}' is empty" : $"the environment variable '{Name}' is not set, or empty");
    }

    private string ReadFile(string option)
    {
        try
        {
            return File.ReadAllText(Name);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw Wrong(option, $"the file '{Name}' cannot be read: {error.Message.TrimEnd('.')}");
        }
    }

    private static ToolException Wrong(string option, string reason) => new(ExitCode.Usage, $"{option}: {reason}.");
}
