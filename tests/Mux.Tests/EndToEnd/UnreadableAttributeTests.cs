using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.Loader;
using Mux.Services;
using Mux.Tests.Contracts;

namespace Mux.Tests.EndToEnd;

/// <summary>Implementations with attributes of an assembly that is not there.</summary>
public sealed class UnreadableAttributeTests
{
    [Theory]
    [InlineData(true, "Implementation")]
    [InlineData(false, "Implementation.Close")]
    public void An_attribute_whose_assembly_is_not_deployed_is_refused_by_the_name_of_its_member(bool isOnClass, string place)
    {
        var implementation = Emit(isOnClass);
        var error = Assert.Throws<InvalidOperationException>(() => new MuxServer(string.Empty).AddServiceFrom(new Source(implementation)));
        Assert.StartsWith($"The attributes of {place} cannot be read, and one of them may restrict its callers: Could not load file or assembly 'NotDeployed", error.Message, StringComparison.Ordinal);
        Assert.IsType<FileNotFoundException>(error.InnerException);
    }

    /// <summary>A class with an attribute, on itself or on its method, of an assembly that nobody finds.</summary>
    private static Type Emit(bool isOnClass)
    {
        var attribute = Load(Assembly("NotDeployed", module => module.DefineType("PolicyAttribute", TypeAttributes.Public, typeof(Attribute)).DefineDefaultConstructor(MethodAttributes.Public).DeclaringType)).GetType("PolicyAttribute", throwOnError: true)!;
        var policy = new CustomAttributeBuilder(attribute.GetConstructor(Type.EmptyTypes)!, []);
        return Load(Assembly("Deployed", module =>
        {
            var type = module.DefineType("Implementation", TypeAttributes.Public);
            var method = type.DefineMethod("Close", MethodAttributes.Public);
            method.GetILGenerator().Emit(OpCodes.Ret);
            if (isOnClass) type.SetCustomAttribute(policy);
            else method.SetCustomAttribute(policy);
            return type;
        })).GetType("Implementation", throwOnError: true)!;
    }

    private static MemoryStream Assembly(string name, Func<ModuleBuilder, Type?> define)
    {
        var assembly = new PersistedAssemblyBuilder(new AssemblyName(name), typeof(object).Assembly);
        ((TypeBuilder)define(assembly.DefineDynamicModule(name))!).CreateType();
        var image = new MemoryStream();
        assembly.Save(image);
        image.Position = 0;
        return image;
    }

    /// <summary>Into a context of its own, which finds no other one.</summary>
    private static Assembly Load(Stream image) => new AssemblyLoadContext(name: null, isCollectible: true).LoadFromStream(image);

    private sealed class Source(Type implementation) : ServiceSource<IDesk>
    {
        public override Type ImplementationType => implementation;

        public override ServiceLease<IDesk> Open() => throw new NotSupportedException("Nobody calls it.");
    }
}
