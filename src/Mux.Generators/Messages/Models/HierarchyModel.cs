namespace Mux.Generators.Messages.Models;

/// <summary>Place of a class in a hierarchy of messages: written from the root, with each part nested in the part of its base.</summary>
/// <param name="RootType">Class with which writing starts.</param>
/// <param name="RootCodec">Its codec, which reads and writes objects of every class below.</param>
/// <param name="IsRoot">True if this class is the root.</param>
/// <param name="IsAbstract">True if there are no objects of exactly this class.</param>
/// <param name="Bases">Base classes from the root to the nearest: an object of one can become an object of this class while it is read.</param>
/// <param name="Includes">Derived classes, by field number.</param>
internal sealed record HierarchyModel(
    string RootType, string RootCodec, bool IsRoot, bool IsAbstract, EquatableArray<string> Bases, EquatableArray<IncludeModel> Includes);
