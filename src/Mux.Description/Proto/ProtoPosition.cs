namespace Mux.Description.Proto;

/// <summary>A place in the text of a file.</summary>
/// <param name="Line">Begins at 1; 0 if the element was not read from text.</param>
/// <param name="Column">Begins at 1.</param>
internal readonly record struct ProtoPosition(int Line, int Column);
