namespace Mux.Tool.Commands;

/// <summary>An example in a help text.</summary>
/// <param name="Line">The command line, as it is typed.</param>
/// <param name="Says">What it does, in one line.</param>
internal sealed record CommandExample(string Line, string Says);
