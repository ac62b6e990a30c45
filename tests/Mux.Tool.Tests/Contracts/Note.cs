namespace Mux.Tool.Tests.Contracts;

public sealed class Note
{
    public string Text { get; set; } = "";
}
