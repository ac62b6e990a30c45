using System.Text;

namespace Mux.Tool.Contracts;

/// <summary>The standard input of the process, as bytes.</summary>
internal static class StandardInput
{
    /// <summary>Gets or sets what opens it. Set only by tests, which have no process of their own.</summary>
    public static Func<Stream> Source { get; set; } = FromConsole;

    // A terminal of Windows has a code page; what is redirected are the bytes of a file.
    private static Stream FromConsole()
    {
        var input = Console.OpenStandardInput();
        bool isText = !Console.IsInputRedirected && Console.InputEncoding.CodePage != Encoding.UTF8.CodePage;
        return isText ? Encoding.CreateTranscodingStream(input, Console.InputEncoding, Encoding.UTF8) : input;
    }
}
