using Mux.Generators.Importing.Naming;

namespace Mux.Generators.Importing.Emitting;

/// <summary>What declarations of one file have in common.</summary>
/// <param name="Names">C# names of types.</param>
/// <param name="Package">Package of the file.</param>
/// <param name="Access">C# keyword of the access to its types.</param>
/// <param name="KeepsUnknown">True if messages can keep fields that they do not know: the Mux.Abstractions of older frameworks has no type for it.</param>
internal sealed record TypeContext(CSharpNames Names, string Package, string Access, bool KeepsUnknown);
