namespace Mux.Walk.Tests.Weaving;

/// <summary>A method into which a probe was woven.</summary>
/// <param name="Name">Its declaring type and name, as a reader would write them.</param>
/// <param name="File">The source file, relative to the checkout, or that of another method of its type.</param>
/// <param name="Line">The line of its first statement; 0 if the compiler wrote it.</param>
/// <param name="IsForward">Whether <see cref="ForwardRule"/> says that it only calls another one.</param>
public sealed record WovenMethod(string Name, string File, int Line, bool IsForward)
{
    /// <summary>The folder of its file.</summary>
    public string Room => File[..Math.Max(0, File.LastIndexOf('/'))];
}
