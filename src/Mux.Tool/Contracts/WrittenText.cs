namespace Mux.Tool.Contracts;

/// <summary>Writes texts to files.</summary>
internal static class WrittenText
{
    /// <summary>Writes one. A file that says the same is not touched, so that nothing is built anew for it.</summary>
    /// <exception cref="ToolException">It cannot be written.</exception>
    public static Written Write(string path, string text)
    {
        try
        {
            bool isThere = File.Exists(path);
            if (isThere && File.ReadAllText(path).ReplaceLineEndings("\n") == text.ReplaceLineEndings("\n"))
                return Written.Same;
            Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(path))!);
            File.WriteAllText(path, text);
            return isThere ? Written.Changed : Written.New;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new ToolException(ExitCode.Usage, $"'{path}' cannot be written: {error.Message}", error);
        }
    }

    /// <exception cref="ToolException">The file cannot be deleted.</exception>
    public static void Delete(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new ToolException(ExitCode.Usage, $"'{path}' cannot be deleted: {error.Message}", error);
        }
    }
}

/// <summary>What became of a file that was to be written.</summary>
internal enum Written
{
    Same,
    Changed,
    New,
}
